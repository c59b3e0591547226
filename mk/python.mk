# The environment with the tools of Python, .venv.

.venv/ready: Scripts/ci/python-tools.txt
	@$(PYTHON) -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check -r Scripts/ci/python-tools.txt
	@touch $@
