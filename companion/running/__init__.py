"""What runs while people play: devices and cameras, each on threads of its own. No Kivy."""
