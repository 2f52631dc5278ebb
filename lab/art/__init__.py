"""Drawing tile faces and the pictures of the tiles that the product shows."""
