"""`python -m s3nmf`: the command line."""

from s3nmf.desk.cli.main import main

if __name__ == "__main__":
    main()
