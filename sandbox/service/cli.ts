import { DRIFT_RATE, withRate } from '../lib/drift.mjs';
import { readNumber } from '../lib/number.mjs';
import { writePrivately } from '../lib/private';
import { onStop } from '../lib/stop';
import { parseFeatures, parseLimits, planUsage } from './domain/account/words';
import { faults, type Faults } from './http/faults';
import { occurrenceUsage } from './http/occurrence';
import { readProfile } from './otherService';
import { type ServiceOptions, startService } from './index';
import { parseArgs } from 'node:util';

interface Option {
	/** What is written after the option; none for a switch. */
	value?: string;
	does: string;
	apply(options: ServiceOptions, text: string): void;
}

const options: Record<string, Option> = {
	port: {
		value: 'N',
		does: 'TCP port on 127.0.0.1 (default: any free port)',
		apply: (to, text) => (to.port = readNumber(text, { whole: true, max: 65_535 })),
	},
	sites: {
		value: 'N',
		does: 'Number of sites in a new fleet (default 250)',
		apply: (to, text) => (to.sites = readNumber(text, { whole: true, max: 100_000 })),
	},
	seed: {
		value: 'N',
		does: 'Seed of a new fleet: the same seed makes the same fleet (default 1)',
		apply: (to, text) => (to.seed = readNumber(text, { whole: true, max: 2 ** 31 })),
	},
	speed: {
		value: 'N',
		does: "Speed of the service's time, as a multiple of real time (default 1). The rate limit stays in real time.",
		apply: (to, text) => (to.speed = readNumber(text, { min: 0.01, max: 10_000 })),
	},
	data: {
		value: 'FOLDER',
		does: 'Keep the fleet in this folder, even if the service is killed (default: the fleet is not kept)',
		apply: (to, text) => (to.data = text),
	},
	token: {
		value: 'TEXT',
		does: 'API token (default sandbox-token)',
		apply: (to, text) => (to.token = text),
	},
	'rate-limit': {
		value: 'N',
		does: 'Requests per minute (default 200)',
		apply: (to, text) => (to.rateLimit = { limit: readNumber(text, { whole: true, min: 1 }) }),
	},
	'plan-without': {
		value: 'FEATURE,…',
		does: planUsage.without,
		apply: (to, text) => (to.settings = { ...to.settings, ...parseFeatures(text) }),
	},
	'plan-limits': {
		value: 'LIMIT=N,…',
		does: planUsage.limits,
		apply: (to, text) => (to.settings = { ...to.settings, ...parseLimits(text) }),
	},
	profile: {
		value: 'FILE',
		does: 'Be another service, with its nulls, words, extra and missing fields, latencies (divided by --speed), forms of responses and errors, and meaning of X-RateLimit-Reset. npm run check -- live --out FILE writes the file; sandbox/service/otherService/part-c.json contains what is publicly known of the running service, and sandbox/service/otherService/part-d.json has operations beyond the reference.',
		apply: (to, text) => (to.profile = readProfile(text)),
	},
	still: {
		does: 'Nothing happens by chance: no outages, malware or tasks, and no daily syncs. Whatever is requested or scheduled still happens: tasks and syncs end, auto-updates and scheduled reports run, emails are delivered, sender emails are confirmed, staging sites expire.',
		apply: (to) => (to.living = false),
	},
	json: {
		does: 'Print one line {"baseUrl", "token"} when the service is ready',
		apply: () => {},
	},
	help: { does: 'Show this text', apply: () => {} },
};

const faultOptions: Record<string, Option> = {
	...Object.fromEntries(
		Object.entries(faults).map(([name, { does, usage, parse }]): [string, Option] => [
			name.replaceAll('_', '-'),
			{
				...(usage && { value: usage }),
				does,
				apply: (to, text) => (to.faults = { ...to.faults, [name]: parse(text) } as Faults),
			},
		]),
	),
	drift: {
		value: '[RATE]',
		does: `The same as --harmless, for this share of the responses (default ${DRIFT_RATE})`,
		apply: (to, text) =>
			(to.faults = { ...to.faults, harmless: { rate: readNumber(text, { min: 0, max: 1 }) } }),
	},
	'clock-offset': {
		value: 'MS',
		does: "Offset of the service's time from this computer's, in milliseconds; negative for a time in the past",
		apply: (to, text) => (to.clockOffset = readNumber(text, { whole: true, min: -(10 ** 12) })),
	},
	'nulls-highest': {
		does: 'Sort records without a value first in descending order and last in ascending order (default: the other way round)',
		apply: (to) => (to.settings = { ...to.settings, nullsAreHighest: true }),
	},
};

const every = { ...options, ...faultOptions };

const describe = (each: Record<string, Option>) =>
	Object.entries(each)
		.map(([name, { value, does }]) => `  --${value ? `${name} ${value}` : name}\n      ${does}`)
		.join('\n');

const help = `Starts the Site Management Service sandbox alone.

Usage: npm run service -- [options]

${describe(options)}

Faults (also on the page, and by POST /_sandbox/faults; GET /_sandbox lists all controls):

${describe(faultOptions)}

${occurrenceUsage}.
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		args: withRate(process.argv.slice(2)),
		options: Object.fromEntries(
			Object.entries(every).map(([name, { value }]) => [
				name,
				{ type: value ? ('string' as const) : ('boolean' as const) },
			]),
		),
	});
	if (values.help) {
		process.stdout.write(help);
		return;
	}
	const chosen: ServiceOptions = { living: true };
	for (const [name, value] of Object.entries(values)) {
		try {
			every[name]!.apply(chosen, String(value));
		} catch (error) {
			throw new RangeError(`--${name}: ${(error as Error).message}`);
		}
	}
	writePrivately();
	const service = await startService(chosen);
	let stopping: Promise<void> | undefined;
	onStop(() => void (stopping ??= service.close()));

	const { baseUrl, pageUrl, token } = service;
	console.log(
		values.json
			? JSON.stringify({ baseUrl, token })
			: `Site Management Service sandbox\n  page       ${pageUrl}\n  base URL   ${baseUrl}\n  API token  ${token}\n  controls   ${new URL('/_sandbox', baseUrl).href}`,
	);
}

main().catch((error: Error) => {
	console.error(`${error.message}\nUsage: npm run service -- [options]. --help lists the options.`);
	process.exitCode = 1;
});
