"""What expressions can be; the recursion stays in here."""
