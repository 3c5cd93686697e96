import { takeViolations } from '../../support/checkAnswers';
import { start } from './support';

/** The check of all answers can fail. */

it.each([
	['a field of another type', 200, { color: 5 }],
	['a field that is left out', 200, { name: undefined }],
])('an answer with %s is seen', async (_what, status, fields) => {
	const { api, world } = await start();
	const [tag] = world.store.tags.peek();
	Object.assign(tag!, fields);
	expect((await api.get(`/tags/${tag!.id}`)).status).toBe(status);
	expect(takeViolations()).toEqual([expect.stringMatching(/^showTag .*`response` schema/)]);
});

it('a failure of the service is seen', async () => {
	const { api, world } = await start();
	world.read = () => {
		throw new Error('A mistake');
	};
	expect((await api.get('/tags')).status).toBe(500);
	expect(takeViolations()).toEqual([expect.stringMatching(/^listTags .*A mistake/)]);
});
