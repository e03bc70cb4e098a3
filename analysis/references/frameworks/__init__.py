"""What is known of libraries that many code bases use."""
