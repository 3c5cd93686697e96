import { execFileSync } from 'node:child_process';

/** A process with all that it has started, also those in groups of their own, as n8n is, and the kilobytes of each. */
export function treeOf(pid) {
	const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
		.trim()
		.split('\n')
		.map((row) => row.trim().split(/\s+/).map(Number));
	const tree = new Map(rows.filter(([id]) => id === pid).map(([, , size]) => [pid, size]));
	// It grows while it is gone through.
	for (const each of tree.keys()) {
		for (const [id, by, size] of rows) if (by === each) tree.set(id, size);
	}
	return tree;
}

function kill(pid, signal) {
	try {
		process.kill(pid, signal);
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

/** Ends a process and all that it has started, at once. */
export function endTree(pid) {
	// Stopped, nobody starts another one while the tree is read.
	const stopped = new Set();
	for (let tree = [pid]; tree.some((each) => !stopped.has(each)); tree = [...treeOf(pid).keys()]) {
		for (const each of tree) {
			kill(each, 'SIGSTOP');
			stopped.add(each);
		}
	}
	for (const each of stopped) kill(each, 'SIGKILL');
}
