const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { dest, src } = require('gulp');
const { isAny, parts, tables, typeScript } = require('./tools/docs');

/** Removes the last build, so that the package holds nothing that is gone from the source. */
exports.clean = async () => await rm('dist', { recursive: true, force: true });

/** Has the list of tables hold each that is there, and then what their operations return. */
exports.tables = async () => {
	for (const list of ['resourceList', 'returned']) {
		const { FILE, listed } = await typeScript(`./tools/build/${list}.ts`);
		if ((await readFile(FILE, 'utf8')) !== listed()) await writeFile(FILE, listed());
	}
};

/** Copies what tsc leaves behind: icons, and the codex files beside the nodes. */
exports.assets = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.', encoding: false }).pipe(dest('dist'));

/** Writes beside the nodes what their operations give, for n8n's editor to offer before the first run. */
exports.schemas = async () => {
	const { outputSchemas } = await typeScript('./tools/build/outputSchemas.ts');
	// What any request gives is not known before.
	for (const { folder, resource } of tables().filter((each) => !isAny(each))) {
		for (const [place, schema] of Object.entries(outputSchemas(resource))) {
			// n8n looks there for version 1 of the node.
			const file = path.join(folder, '__schema__', 'v1.0.0', `${place}.json`);
			await mkdir(path.dirname(file), { recursive: true });
			await writeFile(file, JSON.stringify(schema));
		}
	}
};

/** Writes what the pages say of nodes, operations and events, from the built nodes; with --check it only compares. */
exports.docs = async () => {
	const isCheck = process.argv.includes('--check');
	const stale = [];
	for (const { file, name, text } of await parts()) {
		const page = await readFile(file, 'utf8');
		const start = `<!-- ${name}: made by \`npm run docs\` -->`;
		const end = `<!-- end of ${name} -->`;
		if (!page.includes(start) || !page.includes(end)) {
			throw new Error(`${file}: put "${start}" and "${end}" where the ${name} go`);
		}
		const [before, rest] = page.split(start);
		const [, after] = rest.split(end);
		const made = [before, start, '\n\n', text, '\n\n', end, after].join('');
		if (made === page) continue;
		stale.push(file);
		if (!isCheck) await writeFile(file, made);
	}
	if (isCheck && stale.length > 0) {
		throw new Error(
			`What is made by "npm run docs" is stale: run it (${[...new Set(stale)].join(', ')})`,
		);
	}
};
