"""What a person touches: files and frames, the command line, pictures, the report, the page to work in."""
