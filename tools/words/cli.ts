import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../nodes/shared/lib';
import {
	KEYS,
	realNameOf,
	VALUES,
	WORDS,
	type RealWords,
} from '../../nodes/shared/vocabulary/words';
import { UserError } from '../../sandbox/lib/errors';
import { argumentsIn } from '../commandLine';
import { isTaken } from './taken';

/** The table that is published with the nodes. */
export const FILE = path.resolve(__dirname, '../../nodes/shared/vocabulary/realWords.json');

const NAMES = [...KEYS, ...Object.values(VALUES).flat()];
const NAMES_WITHIN = NAMES.filter((name) => !WORDS.includes(name));

const help = `Says what the running service calls that for which the API reference has stand-in words.

Usage: npm run words -- [options]

  --set WORD=REAL
      the real word of a stand-in word, or of a single name made with one; WORD= removes it. Can be repeated
  --from FILE
      takes the "words" of a JSON file: { "words": { "cms": "…" } }
  --help
      show this text

Words: ${WORDS.join(', ')}.
Names: ${NAMES_WITHIN.join(', ')}.
Without options it shows what is set.
`;

/**
 * What `npm run words` prints.
 * @param args of the command line
 * @param file the table
 * @throws UserError where a word cannot be set; nothing is written then
 */
export async function setWords(args: string[], file = FILE): Promise<string> {
	const options = {
		set: { type: 'string', multiple: true },
		from: { type: 'string' },
		help: { type: 'boolean' },
	} as const;
	const usage = 'Usage: npm run words -- --set cms=…, see --help';
	const { help: isHelp, set = [], from } = argumentsIn({ args, options }, usage).values;
	if (isHelp) return help;
	const before = tableIn(await readFile(file, 'utf8'), file);
	const asked = [
		...(from === undefined ? [] : Object.entries(await proposedIn(from))),
		...set.map(pairIn),
	];
	if (asked.length === 0) return shown(before);
	const all = Object.entries({ ...before, ...Object.fromEntries(asked) });
	const after = Object.fromEntries(
		all.filter(([, real]) => real !== '').sort(([a], [b]) => a.localeCompare(b)),
	);
	const problems = problemsIn(after);
	if (problems.length > 0) throw new UserError([...problems, 'Nothing was changed.'].join('\n'));
	await writeFile(file, `${JSON.stringify(after, null, '\t')}\n`);
	return changed(before, after);
}

function pairIn(text: string): [string, string] {
	const [, word, real] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
	if (word === undefined) throw new UserError(`--set ${text}: write it as WORD=REAL`);
	return [word.trim(), real!.trim()];
}

async function proposedIn(file: string): Promise<Record<string, string>> {
	const text = await readFile(file, 'utf8').catch(() => {
		throw new UserError(`${file} cannot be read`);
	});
	let report: unknown;
	try {
		report = JSON.parse(text);
	} catch {
		throw new UserError(`${file} is not JSON`);
	}
	const { words } = Object(report) as { words?: unknown };
	return tableIn(JSON.stringify(words ?? null), `"words" in ${file}`);
}

/** @throws UserError where it is no object of texts */
function tableIn(text: string, what: string): Record<string, string> {
	const table = JSON.parse(text) as unknown;
	const isTable = isRecord(table) && Object.values(table).every((real) => typeof real === 'string');
	if (!isTable) throw new UserError(`${what} is not an object of words, such as { "cms": "…" }`);
	return table as Record<string, string>;
}

/** What is wrong with a table, a line each. */
export function problemsIn(table: RealWords): string[] {
	const known = [...WORDS, ...NAMES_WITHIN];
	const problems: string[] = [];
	for (const [word, real] of Object.entries(table)) {
		if (!known.includes(word)) {
			problems.push(`Unknown stand-in word "${word}". Choose one of ${known.join(', ')}`);
		} else if (!/^[a-z][\w-]{0,59}$/i.test(real)) {
			problems.push(`"${word}" cannot be "${real}": only letters, digits, - and _ make a name`);
		}
	}
	if (problems.length > 0) return problems;
	const places = [['a field', KEYS] as const, ...Object.entries(VALUES)];
	for (const [place, names] of places) {
		const owners = new Map<string, string>();
		for (const name of names) {
			const real = realNameOf(name, table);
			const owner = owners.get(real);
			if (owner !== undefined) {
				problems.push(`"${owner}" and "${name}" cannot both be "${real}"`);
			} else if (real !== name && isTaken(place, real)) {
				problems.push(`"${name}" cannot be "${real}": the API reference has that name already`);
			}
			owners.set(real, name);
		}
	}
	return problems;
}

/** What becomes of each name. */
const lines = (table: RealWords) =>
	NAMES.filter((name) => realNameOf(name, table) !== name).map(
		(name) => `  ${name} → ${realNameOf(name, table)}`,
	);

const shown = (table: RealWords) =>
	Object.keys(table).length === 0
		? 'No word is set: the nodes say what the API reference says.'
		: ['The nodes say to the service:', ...lines(table)].join('\n');

function changed(before: RealWords, after: RealWords): string {
	const old = new Set(lines(before));
	const now = lines(after);
	const added = now.filter((line) => !old.has(line)).map((line) => `+${line.slice(1)}`);
	const gone = [...old].filter((line) => !now.includes(line)).map((line) => `-${line.slice(1)}`);
	if (added.length + gone.length === 0) return `Nothing changes.\n${shown(after)}`;
	return [
		...gone,
		...added,
		'Written to nodes/shared/vocabulary/realWords.json. Next: npm run build, then npm test.',
	].join('\n');
}
