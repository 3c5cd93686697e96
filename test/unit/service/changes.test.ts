import { on } from 'node:events';
import type { Readable } from 'node:stream';
import axios from 'axios';
import { start, type TestService } from './support';

async function listen({ pageUrl }: TestService) {
	const { data } = await axios.get<Readable>(new URL('/_sandbox/changes', pageUrl).href, {
		responseType: 'stream',
	});
	const events = on(data, 'data');
	/** The counters of the next event. */
	const next = async () => {
		const { value } = await events.next();
		return JSON.parse(/^data: (.*)\n\n$/.exec(String(value))![1]!);
	};
	return { data, next };
}

it('the stream reports what has changed, and is neither counted nor recorded', async () => {
	const service = await start({ sites: 0 });
	const stream = await listen(service);
	const first = await stream.next();
	expect(service.requests).toEqual([]);
	await service.api.get('/tags');
	const second = await stream.next();
	expect([second.requests > first.requests, second.world]).toEqual([true, first.world]);
	await service.api.post('/tags', { tag: { name: 'New' } });
	const third = await stream.next();
	expect(third.world).toBeGreaterThan(second.world);
	await service.admin.post('/clock/advance', { ms: 1000 });
	expect((await stream.next()).clock).toBeGreaterThan(third.clock);
	stream.data.destroy();
});
