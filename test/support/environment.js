const { AsyncLocalStorage } = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * The test files of a worker share one context, and in it what is in node_modules: n8n's engine is loaded and gets
 * warm once, where Jest does it for each of two hundred files. What is ours is loaded for each file, as usual.
 */

/** What the first environment of the worker had, and all others have. */
let first;

/** Modules in node_modules, by file. */
const modules = new Map();

/** Jest's `require` of the test file that runs. */
let requireOwn;

function load(file) {
	if (!file.includes(`${path.sep}node_modules${path.sep}`)) return requireOwn(file);
	if (file.endsWith('.node')) return require(file);
	const known = modules.get(file);
	if (known) return known.exports;
	const module = { id: file, filename: file, exports: {}, children: [] };
	modules.set(file, module);
	try {
		run(module, file);
	} catch (error) {
		modules.delete(file);
		throw error;
	}
	return module.exports;
}

function run(module, file) {
	const { global, context, fastGlobals } = first;
	const source = readFileSync(file, 'utf8');
	if (file.endsWith('.json')) return void (module.exports = global.JSON.parse(source));
	const folder = path.dirname(file);
	const resolve = (name) =>
		isBuiltin(name) ? name : requireOwn.resolve(name, { paths: [folder] });
	module.require = (name) => {
		if (/^(node:)?process$/.test(name)) return global.process;
		return isBuiltin(name) ? require(name) : load(resolve(name));
	};
	Object.assign(module.require, { resolve, cache: {} });
	const names = ['module', 'exports', 'require', '__dirname', '__filename', ...fastGlobals];
	compileFunction(source, names, { filename: file, parsingContext: context }).call(
		module.exports,
		...[module, module.exports, module.require, folder, file],
		...fastGlobals.map((name) => global[name]),
	);
}

/** Jest leaves one switched on for each test file, and fifty make every promise of the process a hundred times slower. */
const storages = new Set();
const runIn = AsyncLocalStorage.prototype.run;
AsyncLocalStorage.prototype.run = function (...args) {
	storages.add(this);
	return runIn.apply(this, args);
};

module.exports = class extends TestEnvironment {
	constructor(config, about) {
		super(config, about);
		const { global, context } = this;
		if (!first) {
			const fastGlobals = config.projectConfig.sandboxInjectedGlobals;
			first = { global, context, fastGlobals, random: global.Math.random };
			// At the end of a file, Jest empties what its global object has.
			this._globalProxy.clear = () => {};
		}
		Object.assign(this, { global: first.global, context: first.context });
		this.global.process = global.process;
		// Jest has made them for another global object.
		this.moduleMocker = new this.moduleMocker.constructor(this.global);
		const forTimers = { config: config.projectConfig, global: this.global };
		this.fakeTimersModern = new this.fakeTimersModern.constructor(forTimers);
		this.global.sharedModule = (file, own) => {
			requireOwn = own;
			const known = new Set(Reflect.ownKeys(this.global));
			const loaded = load(file);
			// What it has there is as lasting as the module.
			for (const key of Reflect.ownKeys(this.global)) if (!known.has(key)) this.before.add(key);
			return loaded;
		};
		this.before = new Set(Reflect.ownKeys(this.global));
	}

	/** The next file finds the global object as this one has. */
	async teardown() {
		const { global, before } = this;
		this.moduleMocker.restoreAllMocks();
		await super.teardown();
		for (const storage of storages) storage.disable();
		storages.clear();
		global.Math.random = first.random;
		for (const key of Reflect.ownKeys(global)) if (!before.has(key)) delete global[key];
	}
};
