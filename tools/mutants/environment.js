const TestEnvironment = require('../../test/support/environment.js');

/** Skips the rest of a file after its first failure: one is enough to kill a mutant. */
module.exports = class extends TestEnvironment {
	#hasFailed = false;

	async handleTestEvent({ name, test }) {
		if (name === 'test_done' && test.errors.length > 0) this.#hasFailed = true;
		if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
	}
};
