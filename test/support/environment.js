const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/** Jest leaves one switched on for each test file, and fifty make every promise of the process a hundred times slower. */
const storages = new Set();
const runIn = AsyncLocalStorage.prototype.run;
AsyncLocalStorage.prototype.run = function (...args) {
	storages.add(this);
	return runIn.apply(this, args);
};

module.exports = class extends TestEnvironment {
	async teardown() {
		await super.teardown();
		for (const storage of storages) storage.disable();
		storages.clear();
	}
};
