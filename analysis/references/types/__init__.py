"""What classes, annotations and type parameters say."""
