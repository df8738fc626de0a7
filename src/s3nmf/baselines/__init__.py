"""What the paper compares with, and what people use instead."""
