import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentOf } from '../../sandbox/service/domain/content/fileContent';
import type { NodeRun } from '../support/engine';
import { ask, start, timed, type Row } from './lib';
import { locator } from '../support/locator';

const SIZES = { small: 1e6, large: 500e6 };
const GOAL = 64;

interface Memory {
	idle: number;
	peak: number;
	bytes?: number;
	error?: string;
}

/** A large file into n8n's store for binary data in the file system. */
export async function download(): Promise<Row[]> {
	const server = createServer(({ url = '' }, answer) => {
		const name = url.includes('/sites/large/') ? 'large' : 'small';
		const size = SIZES[name];
		answer.setHeader('Content-Type', 'application/octet-stream');
		answer.setHeader('Content-Length', size);
		answer.setHeader('Content-Disposition', 'attachment; filename="backup.bin"');
		contentOf(name, size).pipe(answer);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
	const child = start('download.ts', ['--expose-gc']);
	try {
		const access = { baseUrl: `http://127.0.0.1:${port}`, token: 'none' };
		const order = { access, folder, warmUp: downloadOf('small'), run: downloadOf('large') };
		const { result, seconds } = await timed(async () => await ask<Memory>(child, order));
		const { idle, peak, bytes, error } = result;
		if (bytes !== SIZES.large) throw new Error(`${bytes} bytes came: ${error ?? 'no error'}`);
		const megabytes = (peak - idle) / 1e6;
		return [
			{
				what: `Memory at most, over idle, for a file of ${SIZES.large / 1e6} MB`,
				here: { megabytes, seconds },
				goal: { text: `under ${GOAL} MB`, met: megabytes < GOAL },
			},
		];
	} finally {
		child.kill();
		server.close();
		await rm(folder, { recursive: true, force: true });
	}
}

const downloadOf = (site: keyof typeof SIZES): NodeRun => ({
	node: 'site',
	parameters: {
		resource: 'file',
		operation: 'download',
		siteId: locator(site),
		findBy: 'id',
		fileId: 'backup',
		binaryPropertyName: 'data',
	},
});
