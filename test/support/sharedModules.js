/** For Jest, a module in node_modules is the one that `environment.js` keeps for all test files. */
module.exports = {
	process: (_source, file) => ({
		code: `module.exports = sharedModule(${JSON.stringify(file)}, require);`,
	}),
};
