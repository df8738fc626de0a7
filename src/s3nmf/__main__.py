"""`python -m s3nmf`: the command line."""

from s3nmf.cli.main import main

if __name__ == "__main__":
    main()
