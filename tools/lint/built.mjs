#!/usr/bin/env node
// Lints the descriptions of the built nodes with n8n's rules: the kit builds much of them, which the rules
// cannot see in the source. Printed as source by `inspect`, since the rules know parameters by unquoted keys.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { descriptions } from '../docs/built.js';

const root = path.resolve(import.meta.dirname, '..', '..');
const eslint = new ESLint({
	cwd: root,
	overrideConfigFile: 'eslint.own.config.mjs',
	// A text that is no file of the project has no types.
	overrideConfig: {
		files: ['nodes/*.built.ts'],
		...tseslint.configs.disableTypeChecked,
	},
});

async function lint(name, properties) {
	const printed = inspect(properties, {
		depth: null,
		maxArrayLength: null,
		maxStringLength: null,
		breakLength: 120,
	});
	// Functions of routing and methods are not for these rules.
	const source = printed.replace(/\[(Async)?Function[^\]]*\]/g, 'undefined');
	const text = `import type { INodeProperties } from 'n8n-workflow';\nexport const properties: INodeProperties[] = ${source};\n`;
	const [result] = await eslint.lintText(text, {
		filePath: path.join(root, 'nodes', `${name}.built.ts`),
	});
	const lines = text.split('\n');
	return result.messages.map(
		({ ruleId, message, line }) =>
			`${name}: ${message} (${ruleId})\n    ${lines[line - 1]?.trim()}`,
	);
}

/** Texts of several lines are printed as a sum, which the rules take for no default. */
const inOneLine = (property) =>
	typeof property.default === 'string'
		? { ...property, default: property.default.replaceAll('\n', ' ') }
		: property;

// A check that cannot fail is none: this has the faults that the rules are there for.
const faulty = await lint('faulty', [
	{
		displayName: 'is active',
		name: 'isActive',
		type: 'boolean',
		default: '',
		description: 'Is it active.',
	},
]);
if (faulty.length < 3) throw new Error('The rules do not see the printed descriptions');

const problems = [];
for (const { name, icon, properties } of descriptions()) {
	problems.push(...(await lint(name, properties.map(inOneLine))));
	// The rules cannot see an icon that a function names.
	for (const file of Object.values(icon)) {
		const place = path.join(root, 'nodes', name, file.replace('file:', ''));
		if (!existsSync(place)) problems.push(`${name}: the icon ${file} does not exist`);
	}
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${problems.length} problems in the built descriptions\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
