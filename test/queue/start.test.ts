import { existsSync } from 'node:fs';
import path from 'node:path';
import axios from 'axios';
import { findQueuePrograms } from '../../sandbox/lib/programs';
import { dataOfTests, freePorts, npmStart, processWith, stopNpmStart } from '../support/npmStart';

const database = path.join(dataOfTests, 'stores/postgres/data');

afterEach(stopNpmStart);

it('the sandbox runs with workers, stops cleanly, and ends as a whole when a part ends by itself', async () => {
	const [port, , , ports] = await freePorts();
	const options = ['--workers', '1', ...ports];
	const first = npmStart('--reset', ...options);
	await first.ready();
	expect(first.output()).toContain('workers   1');
	first.child.kill('SIGINT');
	expect(await first.exited).toBe(0);
	expect(existsSync(path.join(database, 'postmaster.pid'))).toBe(false);

	const second = npmStart(...options);
	await second.ready();
	// What the first one has put there is still there.
	expect(second.output()).not.toContain('added the workflow');
	process.kill(processWith(database), 'SIGKILL');
	expect(await second.exited).toBe(1);
	expect(second.output()).toContain('PostgreSQL ended (SIGKILL)');
	const gone = axios.get(`http://127.0.0.1:${port}`, { proxy: false });
	await expect(gone).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('names the programs that are missing, and how to install them', () => {
	const before = process.env.PATH;
	process.env.PATH = __dirname;
	try {
		expect(findQueuePrograms).toThrow(/needs Redis.*apt-get install redis-server postgresql/);
	} finally {
		process.env.PATH = before;
	}
});
