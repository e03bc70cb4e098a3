"""What a call may see: scopes, activities, delegates and instances."""
