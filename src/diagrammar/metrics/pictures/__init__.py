"""What the picture metrics are made of: the prepared picture, SSIM's windows, networks, distances of sets."""
