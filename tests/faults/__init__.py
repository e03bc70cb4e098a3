"""Processes killed at random moments, and disks that fail."""
