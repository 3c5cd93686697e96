/** In Jest's sandbox each use of a global name is slow, and n8n uses all of these for each expression. */
const FAST_GLOBALS = [
	...['Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean'],
	...['DataView', 'Date', 'Error', 'Float32Array', 'Float64Array', 'Infinity', 'Int16Array'],
	...['Int32Array', 'Int8Array', 'Intl', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise'],
	...['Proxy', 'Reflect', 'RegExp', 'Set', 'SharedArrayBuffer', 'String', 'Symbol', 'Uint16Array'],
	...['Uint32Array', 'Uint8Array', 'Uint8ClampedArray', 'WeakMap', 'WeakSet', 'decodeURI'],
	...['decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'parseFloat', 'parseInt'],
];

/** One project per kind of test; the scripts of package.json pick them. */
const project = (name, extra = {}) => ({
	displayName: name,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	testEnvironment: 'node',
	setupFilesAfterEnv: ['<rootDir>/test/support/checkAnswers.ts'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	modulePathIgnorePatterns: [
		'<rootDir>/sandbox/n8n/',
		'<rootDir>/test/compat/[^/]+/node_modules/',
		'<rootDir>/tools/registry/node_modules/',
		'<rootDir>/sandbox/.data/',
		'<rootDir>/test/.tmp/',
	],
	sandboxInjectedGlobals: FAST_GLOBALS,
	...extra,
});

/** The sandbox and the nodes keep to the words of the reference, whatever is published. */
const plainWords = {
	moduleNameMapper: { '/realWords\\.json$': '<rootDir>/test/support/noWords.json' },
};

/** For projects with many files. */
const many = { testEnvironment: '<rootDir>/test/support/environment.js' };

/** For tests of what is in `dist`, and for those in a real n8n. */
const built = { globalSetup: '<rootDir>/test/support/freshBuild.mjs' };
const inN8n = {
	globalSetup: '<rootDir>/test/support/readyN8n.ts',
	setupFilesAfterEnv: ['checkAnswers', 'patience'].map(
		(name) => `<rootDir>/test/support/${name}.ts`,
	),
};

module.exports = {
	// Jest itself leaves one core to others, which is half of what a small machine has.
	maxWorkers: '100%',
	// What the modules of test files leave behind fills a worker's heap in the end, and then it only collects garbage.
	workerIdleMemoryLimit: '1GB',
	// A slow machine is no failure; whoever hangs is stopped all the same.
	testTimeout: 60_000,
	projects: [
		project('unit', { ...plainWords, ...many }),
		project('contract', { ...plainWords, ...built, ...many }),
		project('guides', { ...plainWords, ...built }),
		...['e2e', 'soak', 'queue', 'browser'].map((name) => project(name, inN8n)),
		project('compat', {
			...inN8n,
			globalSetup: '<rootDir>/test/support/readyVersions.ts',
		}),
	],
};
