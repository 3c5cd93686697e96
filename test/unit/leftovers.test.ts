import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startChild } from '../../sandbox/lib/child';
import {
	endLeftovers,
	logsFolder,
	note,
	pidFile,
	runningFile,
	startOf,
} from '../../sandbox/lib/leftovers';
import { newFolder } from '../support/ending';

let data: string;
let logs: string;
beforeEach(() => {
	data = newFolder('leftovers');
	logs = logsFolder(data);
	mkdirSync(logs);
});

/** A program that goes on until it is ended. */
const program = ['-e', 'setInterval(() => {}, 1000)'];

describe('what a killed sandbox has left running', () => {
	it('is ended and named', async () => {
		const child = spawn(process.execPath, program);
		const ended = once(child, 'exit');
		note(path.join(logs, 'n8n.pid'), 'n8n', child.pid!);
		expect(await endLeftovers(data)).toEqual(['n8n']);
		expect((await ended)[1]).toBe('SIGTERM');
		expect(await endLeftovers(data)).toEqual([]);
	});

	it('is not another program that has got the number of one of them', async () => {
		const child = spawn(process.execPath, program);
		try {
			const other = { name: 'n8n', pid: child.pid, started: 'long ago' };
			writeFileSync(path.join(logs, 'n8n.pid'), JSON.stringify(other));
			expect(await endLeftovers(data)).toEqual([]);
			expect(startOf(child.pid!)).toBeDefined();
		} finally {
			child.kill('SIGKILL');
		}
	});

	it('is found as long as it runs', async () => {
		const logFile = path.join(logs, 'program.log');
		const { command, args } = { command: process.execPath, args: program };
		const options = { name: 'A program', cwd: data, env: process.env, logFile };
		const child = startChild({ ...options, command, args });
		expect(existsSync(pidFile(logFile))).toBe(true);
		expect(await endLeftovers(data)).toEqual(['A program']);
		expect(await child.exited).toBe('SIGTERM');
		const next = startChild({ ...options, command, args });
		await next.stop();
		expect(existsSync(pidFile(logFile))).toBe(false);
	});

	it.each(['', 'null', '{"pid":', '{"pid": "1"}', '[]'])(
		'is nothing by a file with "%s"',
		async (text) => {
			writeFileSync(runningFile(data), text);
			writeFileSync(path.join(logs, 'n8n.pid'), text);
			expect(await endLeftovers(data)).toEqual([]);
		},
	);
});

describe('a sandbox that still runs', () => {
	it('is named, and nothing of it is ended', async () => {
		note(runningFile(data), 'http://127.0.0.1:5678', process.pid);
		note(path.join(logs, 'n8n.pid'), 'n8n', process.pid);
		await expect(endLeftovers(data)).rejects.toThrow(
			`already running: http://127.0.0.1:5678 (process ${process.pid})`,
		);
	});

	it('is not another program that has got its number', async () => {
		const other = { name: 'http://127.0.0.1:5678', pid: process.pid, started: 'long ago' };
		writeFileSync(runningFile(data), JSON.stringify(other));
		expect(await endLeftovers(data)).toEqual([]);
	});
});
