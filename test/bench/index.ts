import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Part } from './lib';
import { table } from './table';
import { account } from './account';
import { limit } from './limit';
import { overhead } from './overhead';
import { paging } from './paging';
import { sharing } from './sharing';
import { startUp } from './startUp';
import { volume } from './volume';
import { weight } from './weight';

const parts: Record<string, Part> = {
	paging,
	limit,
	account,
	sharing,
	volume,
	overhead,
	weight,
	start: startUp,
};

const help = `Measures the built package against the sandbox service, compared with other ways to do the same.

Usage: npm run bench -- [options]

  --only PARTS
      only these parts, separated by commas: ${Object.keys(parts).join(', ')}
  --help
      show this text

It exits with 1 when a goal is missed.
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { only: { type: 'string' }, help: { type: 'boolean' } },
	});
	if (values.help) return void process.stdout.write(help);

	const chosen = values.only?.split(',') ?? Object.keys(parts);
	const unknown = chosen.find((name) => !parts[name]);
	if (unknown !== undefined) throw new Error(`There is no part "${unknown}", see --help`);

	const rows = [];
	for (const name of chosen) {
		process.stderr.write(`${name} …\n`);
		rows.push(...(await parts[name]!()));
	}
	const missed = rows.filter(({ goal }) => goal && !goal.met);
	const machine = { cores: cpus().length, node: process.versions.node };
	console.log(table(rows, machine));
	for (const { what, beside, goal } of missed) {
		process.stderr.write(`Missed: ${what}, beside ${beside?.name ?? 'nothing'}: ${goal!.text}\n`);
	}
	process.exitCode = missed.length > 0 ? 1 : 0;
}

main().catch((error: Error) => {
	process.stderr.write(`${error.stack}\n`);
	process.exitCode = 1;
});
