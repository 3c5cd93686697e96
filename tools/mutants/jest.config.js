/** The tests that mutants have to get past, in one project: Stryker's sandbox has a `dist` of its own, with all mutants. */
const { projects } = require('../../jest.config.js');

const {
	globalSetup: _freshBuild,
	testMatch: _all,
	...contract
} = projects.find(({ displayName }) => displayName === 'contract');

module.exports = {
	...contract,
	displayName: 'mutants',
	setupFilesAfterEnv: [...contract.setupFilesAfterEnv, require.resolve('./setup.js')],
	testEnvironment: require.resolve('./environment.js'),
	// Whoever waits for ever is found, too; with all mutants in it, the code is slow.
	testTimeout: 120_000,
};
