import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../sandbox/lib/errors';
import { argumentsIn, printable, reasonOf } from '../commandLine';
import { TOKEN_FORM } from '../drift/source';
import { baseOf, Guard, type Clock } from './guard';
import { Blinds } from './hide';
import type { Finding } from './judge';
import { CouldNotLook, Looker, type Look, type Plan } from './look';
import { extras, type Extra } from './reads';
import { asText, type Exit, type Report } from './report';

export const TOKEN_VARIABLE = 'SITE_MANAGEMENT_API_TOKEN';

const help = `Reads a running service once, and reports where it differs from the API reference and what the nodes would do.

Usage: npm run check -- live --base-url https://api.example.com/api/v6 [options]

  --base-url URL
      the address of the service with its version segment
  --sites N
      how many sites are checked (default 2, 0 for none)
  --with files,links
      also download the beginning of a report and of a file, and make a sign-in link of a staging site (a person can
      sign in with it until it expires; it is not reported)
  --out FILE
      write the report as JSON. The sandbox takes it: npm run service -- --profile FILE
  --help
      show this text

Put the API token in the environment variable ${TOKEN_VARIABLE}. If not set, you are asked for it.
Only GET requests of the API reference and for lists of components are sent, one at a time, and none after a 429.
The report contains no values, IDs, token or host.

It exits with 0 when all is as expected, 1 when the service differs, 2 when it could not look, 3 when nodes would fail.
`;

export interface Outcome {
	status: Exit;
	text: string;
}

/** What is around a call, which tests replace. */
export interface Surroundings {
	environment: NodeJS.ProcessEnv;
	clock: Clock;
	/** Asks the user for the token, without an echo; undefined where nobody can be asked. */
	ask?: () => Promise<string>;
	/** Shows how far it is. */
	say?: (line: string) => void;
}

const machine: Surroundings = {
	environment: process.env,
	clock: { now: () => performance.now(), sleep: async (ms) => await sleep(ms) },
};

/** @param args of the command line */
export async function checkLive(
	args: string[],
	given: Partial<Surroundings> = {},
): Promise<Outcome> {
	try {
		return await checked(args, { ...machine, ...given });
	} catch (error) {
		return { status: 2, text: reasonOf(error as Error) };
	}
}

const USAGE = 'Usage: npm run check -- live --base-url URL, see --help';

async function checked(args: string[], around: Surroundings): Promise<Outcome> {
	const values = optionsIn(args);
	if (values.help) return { status: 0, text: help };
	if (values['base-url'] === undefined) throw new UserError(`Give --base-url.\n${USAGE}`);
	const base = baseOf(values['base-url']);
	const wanted = new Set(chosenIn(values.with));
	const sites = sitesIn(values.sites);
	const token = await tokenOf(around);

	const guard = new Guard({ base, extras: wanted, token, clock: around.clock });
	const blinds = new Blinds([token, base.host, base.hostname]);
	const report = await reportOf(guard, { sites, blinds, onRoute: around.say });
	const hide = (text: string) =>
		[token, base.host, base.hostname].reduce((told, secret) => told.replaceAll(secret, '…'), text);
	const text = hide(printable(asText(report)));
	const problem =
		values.out &&
		(await problemOf(writeFile(values.out, hide(JSON.stringify(report, null, '\t')))));
	return { status: report.exit, text: problem ? `${text}\n\n--out: ${problem}` : text };
}

/** What keeps a file from being written; what was seen is told all the same. */
const problemOf = async (writing: Promise<void>) =>
	await writing.catch(({ code }: NodeJS.ErrnoException) => `the file cannot be written (${code}).`);

async function reportOf(guard: Guard, plan: Plan): Promise<Report> {
	const empty = {
		words: {},
		wordsInDoubt: [],
		findings: [],
		skipped: {},
		errors: {},
		lists: {},
		routes: {},
	} satisfies Look;
	try {
		return whole(await new Looker(guard, plan).run(), guard.count);
	} catch (error) {
		if (!(error instanceof CouldNotLook)) throw error;
		return whole({ ...empty, stopped: error.message }, guard.count);
	}
}

function whole(look: Look, requests: number): Report {
	const has = (is: Finding['is']) => look.findings.some((each) => each.is === is);
	const exit = has('refused')
		? 3
		: has('taken') || has('differs')
			? 1
			: look.stopped === undefined
				? 0
				: 2;
	return { kind: 'check:live', exit, requests, ...look };
}

function optionsIn(args: string[]) {
	if (args.some((arg) => /^--?(api-?)?token\b/i.test(arg))) {
		throw new UserError(
			`The token cannot be an argument, because other users of this machine and the shell history could see it.\nPut it into the environment variable ${TOKEN_VARIABLE}, or leave it out to be asked for it.`,
		);
	}
	const options = {
		'base-url': { type: 'string' },
		sites: { type: 'string', default: '2' },
		with: { type: 'string', default: '' },
		out: { type: 'string' },
		help: { type: 'boolean' },
	} as const;
	return argumentsIn({ args, options }, USAGE).values;
}

function chosenIn(text: string): Extra[] {
	return text
		.split(',')
		.map((word) => word.trim())
		.filter(Boolean)
		.map((word) => {
			const found = extras.find((each) => each === word);
			if (!found) throw new UserError(`--with takes ${extras.join(', ')}.\n${USAGE}`);
			return found;
		});
}

function sitesIn(text: string): number {
	const value = Number(text);
	if (Number.isInteger(value) && value >= 0 && value <= 100) return value;
	throw new UserError(`--sites must be a whole number from 0 to 100.\n${USAGE}`);
}

async function tokenOf({ environment, ask }: Surroundings): Promise<string> {
	const token = environment[TOKEN_VARIABLE] ?? (await ask?.()) ?? '';
	if (TOKEN_FORM.test(token)) return token;
	throw new UserError(
		token === ''
			? `There is no API token.\nPut it into the environment variable ${TOKEN_VARIABLE}.`
			: 'The token contains a space, a line break or another character that is not allowed in a token.\nCopy it again.',
	);
}
