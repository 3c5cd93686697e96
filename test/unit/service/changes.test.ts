import { on, once } from 'node:events';
import type { Readable } from 'node:stream';
import axios from 'axios';
import { changes } from '../../../sandbox/service/http/changes';
import { start, startTime, type TestService } from './support';

async function listen({ pageUrl }: TestService) {
	const { data, headers } = await axios.get<Readable>(new URL('/_sandbox/changes', pageUrl).href, {
		responseType: 'stream',
	});
	const events = on(data, 'data');
	return {
		data,
		headers,
		/** The counters of the next event. */
		next: async () => {
			const { value } = await events.next();
			return JSON.parse(/^data: (.*)\n\n$/.exec(String(value))![1]!);
		},
	};
}

describe('the stream of changes', () => {
	it('reports the current state, and that something has changed', async () => {
		const service = await start();
		const stream = await listen(service);
		expect(stream.headers['content-type']).toMatch(/^text\/event-stream/);
		const first = await stream.next();
		await service.api.post('/tags', { tag: { name: 'New' } });
		const second = await stream.next();
		expect(second.world).toBeGreaterThan(first.world);
		expect(second.requests).toBeGreaterThan(first.requests);
		stream.data.destroy();
	});

	it('reports requests that change nothing, and the time that moves', async () => {
		const service = await start({ sites: 0 });
		const stream = await listen(service);
		const first = await stream.next();
		await service.api.get('/tags');
		const second = await stream.next();
		expect(second.requests).toBeGreaterThan(first.requests);
		expect(second.world).toBe(first.world);
		await service.admin.post('/clock/advance', { ms: 1000 });
		expect((await stream.next()).clock).toBeGreaterThan(second.clock);
		stream.data.destroy();
	});

	it('is neither counted nor recorded', async () => {
		const service = await start();
		const stream = await listen(service);
		await stream.next();
		expect(service.requests).toEqual([]);
		expect(service.world.now).toBe(startTime);
		stream.data.destroy();
	});

	it('ends with the service', async () => {
		const service = await start();
		const stream = await listen(service);
		await stream.next();
		// Its connection is cut, which counts as an error.
		stream.data.on('error', () => {});
		const ended = new Promise((resolve) => stream.data.on('close', resolve));
		await service.close();
		await ended;
	});
});

describe('a stream of counters', () => {
	it('stops reading once its client has left', async () => {
		const look = jest.fn(() => ({ world: 1 }));
		const stream = changes(look, 1);
		await once(stream, 'data');
		stream.destroy();
		await once(stream, 'close');
		const looks = look.mock.calls.length;
		// For as long as another one looks many times.
		const other = changes(() => ({ now: performance.now() }), 1);
		const told = on(other, 'data');
		for (let i = 0; i < 10; i++) await told.next();
		other.destroy();
		expect(look).toHaveBeenCalledTimes(looks);
	});

	it('keeps at most one event for a client that does not read', async () => {
		const much = 'm'.repeat(100_000);
		const look = jest.fn(() => ({ [much]: performance.now() }));
		const stream = changes(look, 1);
		const other = changes(() => ({ now: performance.now() }), 1);
		const told = on(other, 'data');
		for (let i = 0; i < 10; i++) await told.next();
		expect(look).toHaveBeenCalledTimes(1);
		await once(stream, 'data');
		while (look.mock.calls.length === 1) await told.next();
		for (const each of [stream, other]) each.destroy();
	});

	it('sends only a sign of life when nothing changes', async () => {
		const stream = changes(() => ({ world: 1 }), 1);
		const told = on(stream, 'data');
		const next = async () => String((await told.next()).value);
		expect([await next(), await next(), await next()]).toEqual([
			'data: {"world":1}\n\n',
			':\n\n',
			':\n\n',
		]);
		stream.destroy();
	});
});
