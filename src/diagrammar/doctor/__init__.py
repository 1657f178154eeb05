"""What this machine has, what it lacks, and what that costs: `examine()` yields one Finding per tool."""

from diagrammar.doctor.examine import Finding, examine

__all__ = ["Finding", "examine"]
