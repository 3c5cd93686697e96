import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { examplesFolder } from '../../sandbox/lib/examples';

/**
 * Functions of a Code node of an example, from the code before all that asks n8n.
 * @param end where that begins
 * @param made what is made of the functions, as code
 */
export function codeOf<F>(file: string, node: string, end: string, made: string): F {
	const { nodes } = JSON.parse(readFileSync(path.join(examplesFolder, file), 'utf8')) as {
		nodes: Array<{ name: string; parameters: { jsCode: string } }>;
	};
	const { jsCode } = nodes.find(({ name }) => name === node)!.parameters;
	const [functions, rest] = jsCode.split(end);
	if (rest === undefined) throw new Error(`${file}: "${node}" has no ${end}`);
	const world = { $now: { toISO: () => '' } };
	return vm.runInNewContext(`(() => { ${functions}\nreturn ${made}; })()`, world) as F;
}
