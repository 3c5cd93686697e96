import { parseArgs } from 'node:util';
import { startService } from './index';

const usage =
	'Usage: tsx sandbox/service/cli.ts [--port N] [--sites N] [--seed N] [--speed N] [--json]';

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '0' },
			sites: { type: 'string', default: '250' },
			seed: { type: 'string', default: '1' },
			speed: { type: 'string', default: '1' },
			json: { type: 'boolean', default: false },
		},
	});
	const service = await startService({
		port: integer('port', values.port),
		sites: integer('sites', values.sites),
		seed: integer('seed', values.seed),
		speed: number('speed', values.speed),
		living: true,
	});
	const stop = () => void service.close();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);

	const { baseUrl, token } = service;
	console.log(
		values.json
			? JSON.stringify({ baseUrl, token })
			: `Site Management Service sandbox\n  base URL   ${baseUrl}\n  API token  ${token}`,
	);
}

function integer(name: string, text: string): number {
	if (!/^\d+$/.test(text)) throw new RangeError(`--${name} must be a whole number, 0 or more`);
	return Number(text);
}

function number(name: string, text: string): number {
	const value = Number(text);
	if (!(value > 0 && value < Infinity)) throw new RangeError(`--${name} must be above 0`);
	return value;
}

main().catch((error: Error) => {
	console.error(`${error.message}\n${usage}`);
	process.exitCode = 1;
});
