#!/usr/bin/env node
// The types of all code, and ESLint on the same program of TypeScript, which takes longer to make than to lint.
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..', '..');
const files = process.argv.slice(2);

const host = {
	...ts.sys,
	getCanonicalFileName: (name) => name,
	getNewLine: () => ts.sys.newLine,
	onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
		throw new Error(String(messageText));
	},
};
const config = path.join(root, 'test', 'tsconfig.json');
const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(config, {}, host);
const program = ts.createProgram(fileNames, options);
const wrong = [...errors, ...ts.getPreEmitDiagnostics(program)];
process.stdout.write(ts.formatDiagnostics(wrong, host));

const eslint = new ESLint({
	cwd: root,
	overrideConfigFile: 'eslint.own.config.mjs',
	overrideConfig: {
		files: ['**/*.ts'],
		languageOptions: { parserOptions: { project: null, programs: [program] } },
	},
});
const results = await eslint.lintFiles(files.length > 0 ? files : ['.']);
const { format } = await eslint.loadFormatter();
process.stdout.write(await format(results));
if (wrong.length > 0 || results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;
