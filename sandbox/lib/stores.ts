import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
	chownSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { startChild } from './child';
import type { Child, User } from './child';
import { UserError } from './errors';
import { freePort } from './ports';
import type { QueuePrograms } from './programs';

const READY_TIMEOUT_MS = 60_000;
const HOST = '127.0.0.1';
const OWNER = 'n8n';
/** PostgreSQL always makes it. */
const DATABASE = 'postgres';

const run = promisify(execFile);

/** What the processes of n8n's queue mode share: a database, and the queue of the executions. */
export interface Stores {
	/** Those that must not end. */
	children: Child[];
	/** The settings by which n8n finds them. */
	env: Record<string, string>;
	stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
function userOfPostgres(): User | undefined {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of ['postgres', 'nobody']) {
		const id = (flag: string) =>
			Number(
				execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
			);
		try {
			return { uid: id('-u'), gid: id('-g') };
		} catch {
			// There is no such user here.
		}
	}
	throw new UserError(
		'PostgreSQL does not run as root, and there is no user "postgres" or "nobody".',
	);
}

/** An empty database with a password of its own, unless the folder holds one already. */
async function prepareDatabase(initdb: string, folder: string, user?: User): Promise<void> {
	const data = path.join(folder, 'data');
	if (existsSync(data)) return;
	const unfinished = path.join(folder, 'unfinished');
	const passwordFile = path.join(folder, 'password');
	rmSync(unfinished, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
	if (user) for (const each of [folder, passwordFile]) chownSync(each, user.uid, user.gid);
	const args = [
		...['--pgdata', unfinished, '--username', OWNER, '--pwfile', passwordFile],
		...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
	];
	try {
		await run(initdb, args, { cwd: folder, ...user });
	} catch (error) {
		const { stderr = '', message } = error as Error & { stderr?: string };
		const hint = user
			? '\n\nThe database runs as a user other than root. That user must be able to enter the folders above.'
			: '';
		throw new UserError(`Making the database in ${folder} failed:\n\n${stderr || message}${hint}`);
	}
	renameSync(unfinished, data);
}

/** Starts PostgreSQL. @returns the settings by which n8n finds it as well */
async function startPostgres(programs: string, folder: string, logs: string) {
	const user = userOfPostgres();
	await prepareDatabase(path.join(programs, 'initdb'), folder, user);
	const data = path.join(folder, 'data');
	const port = String(await freePort());
	const child = startChild({
		name: 'PostgreSQL',
		command: path.join(programs, 'postgres'),
		args: [
			...['-D', data, '-h', HOST, '-p', port],
			// Without a socket it needs no folder that the system shares.
			...['-c', 'unix_socket_directories='],
		],
		cwd: folder,
		env: process.env,
		logFile: path.join(logs, 'postgres.log'),
		user,
	});
	// PostgreSQL's own tools look there, too.
	const status = path.join(data, 'postmaster.pid');
	const isUp = async () => {
		const [pid, ...lines] = (existsSync(status) ? readFileSync(status, 'utf8') : '').split('\n');
		return Number(pid) === child.pid && lines.some((line) => line.trim() === 'ready');
	};
	await child.ready(isUp, READY_TIMEOUT_MS);
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: HOST,
		DB_POSTGRESDB_PORT: port,
		DB_POSTGRESDB_DATABASE: DATABASE,
		DB_POSTGRESDB_USER: OWNER,
		DB_POSTGRESDB_PASSWORD: readFileSync(path.join(folder, 'password'), 'utf8'),
	};
	return { child, env };
}

const accepts = async (port: number) =>
	await new Promise<boolean>((resolve) => {
		const socket = connect(port, HOST);
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});

/** Starts a Redis that keeps nothing. @returns the settings by which n8n finds it as well */
async function startRedis(program: string, folder: string, logs: string) {
	mkdirSync(folder, { recursive: true });
	const port = await freePort();
	const password = randomBytes(24).toString('hex');
	// Not on the command line, which everyone on this machine can read.
	const settings = path.join(folder, 'redis.conf');
	writeFileSync(
		settings,
		[
			`bind ${HOST}`,
			`port ${port}`,
			`requirepass ${password}`,
			'save ""',
			'appendonly no',
			'',
		].join('\n'),
		{ mode: 0o600 },
	);
	const child = startChild({
		name: 'Redis',
		command: program,
		args: [settings],
		cwd: folder,
		env: process.env,
		logFile: path.join(logs, 'redis.log'),
	});
	await child.ready(async () => await accepts(port), READY_TIMEOUT_MS);
	const env = {
		QUEUE_BULL_REDIS_HOST: HOST,
		QUEUE_BULL_REDIS_PORT: String(port),
		QUEUE_BULL_REDIS_PASSWORD: password,
	};
	return { child, env };
}

/**
 * Starts a PostgreSQL and a Redis of their own.
 * @param folder keeps the database from one start to the next
 */
export async function startStores(
	programs: QueuePrograms,
	folder: string,
	logs: string,
): Promise<Stores> {
	const redis = await startRedis(programs.redis, path.join(folder, 'redis'), logs);
	try {
		const postgres = await startPostgres(programs.postgres, path.join(folder, 'postgres'), logs);
		return {
			children: [redis.child, postgres.child],
			env: { EXECUTIONS_MODE: 'queue', ...redis.env, ...postgres.env },
			async stop() {
				await postgres.child.stop();
				await redis.child.stop();
			},
		};
	} catch (error) {
		await redis.child.stop();
		throw error;
	}
}
