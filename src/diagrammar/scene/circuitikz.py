"""Names of circuitikz components: pgf shape -> the short name that circuit people use."""

from __future__ import annotations

# Drawn the same or meant the same in the European and the American style.
SHORT_NAMES = {
    "resistor": "R", "generic": "R", "vresistor": "vR", "tgeneric": "vR", "ageneric": "R", "potentiometer": "pR",
    "genericpotentiometer": "pR", "capacitor": "C", "ccapacitor": "cC", "ecapacitor": "eC", "pcapacitor": "eC",
    "vcapacitor": "vC", "cuteinductor": "L", "inductor": "L", "americaninductor": "L", "fullgeneric": "L",
    "vinductor": "vL", "vcuteinductor": "vL", "vamericaninductor": "vL", "battery": "battery", "battery1": "battery1",
    "battery2": "battery2", "vsource": "V", "vsourceAM": "V", "vsourcesin": "sV", "vsourcesquare": "sqV",
    "vsourcetri": "tV", "vsourceC": "V", "cvsource": "cV", "cvsourceAM": "cV", "cvsourceC": "cV",
    "isource": "I", "isourceAM": "I", "isourceC": "I", "isourcesin": "sI", "cisource": "cI", "cisourceAM": "cI",
    "cisourceC": "cI", "emptydiode": "D", "fulldiode": "D*", "diode": "D", "emptyzdiode": "zD", "fullzdiode": "zD*",
    "emptyled": "led", "fullled": "led*", "emptyphotodiode": "pD", "fullphotodiode": "pD*", "emptysdiode": "sD",
    "fullsdiode": "sD*", "lamp": "lamp", "bulb": "bulb", "ammeter": "ammeter", "voltmeter": "voltmeter",
    "ohmmeter": "ohmmeter", "switch": "switch", "closingswitch": "closing switch", "openingswitch": "opening switch",
    "cspst": "closing switch", "ospst": "opening switch", "spst": "spst", "fuse": "fuse", "memristor": "Mr",
}  # fmt: skip

# Marks on wires: junctions and arrow heads, which are nodes.
WIRE_MARKS = frozenset(
    {
        "circ",
        "ocirc",
        "diamondpole",
        "odiamondpole",
        "squarepole",
        "osquarepole",
        "currarrow",
        "inputarrow",
        "trarrow",
    }
)

# The shapes of pgf and TikZ themselves; any other shape in a circuitikz document is a component.
PLAIN_SHAPES = frozenset(
    {
        "rectangle", "circle", "ellipse", "diamond", "star", "regular polygon", "trapezium", "semicircle",
        "isosceles triangle", "kite", "dart", "circular sector", "cylinder", "cloud", "starburst", "signal", "tape",
        "magnetic tape", "single arrow", "double arrow", "arrow box", "rectangle split", "circle split",
        "ellipse split", "diamond split", "circle solidus", "cross out", "strike out", "rounded rectangle",
        "chamfered rectangle", "rectangle callout", "ellipse callout", "cloud callout", "forbidden sign",
        "correct forbidden sign", "magnifying glass", "coordinate", "tikz@pictype",
    }
)  # fmt: skip


def component_name(shape: str) -> str | None:
    """The component's short name, None where the shape is an ordinary node or a mark on a wire."""
    if shape in PLAIN_SHAPES or shape in WIRE_MARKS:
        return None
    base = shape.removesuffix("shape")
    return SHORT_NAMES.get(base, base)
