// A reporter of jest: keeps in a file which test files are running, for when they are stopped from outside.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

export default class Underway {
	#running = new Set();

	constructor({ rootDir }) {
		this.root = rootDir;
	}

	onTestFileStart({ path: file }) {
		this.#running.add(path.relative(this.root, file));
		this.#note();
	}

	onTestFileResult({ path: file }) {
		this.#running.delete(path.relative(this.root, file));
		this.#note();
	}

	#note() {
		writeFileSync(process.env.UNDERWAY, JSON.stringify([...this.#running]));
	}
}
