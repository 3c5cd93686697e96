import Module from 'node:module';

// Loaded into n8n: the package sleeps a part of the time, as the service beside it lives that much faster.

const TIMES = 20;

const load = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => {
	load(module, file);
	const { clock } = file.endsWith('/dist/nodes/shared/lib/index.js') ? module.exports : {};
	if (!clock) return;
	const { sleep } = clock;
	clock.sleep = (ms, signal) => sleep(ms / TIMES, signal);
};
