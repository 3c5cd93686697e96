import { measure } from '../agents/measure';
import { judged, playStrangers } from '../agents/played';
import { strangers } from '../agents/strangers';
import { PINNED } from '../support/versions';

/** Requests by somebody who knew only the list of tools, with a model that errs as models do. */

/** Example 12 lacks the tools of the others, or their first call is approved there. */
const NOT_IN_CHAT = [12, 13, 14, 15, 16, 17, 19, 22, 25, 26, 29, 30];

playStrangers(PINNED, (bench) => {
	const inChat = strangers
		.map((request, at) => [at + 1, request.sentence, request] as const)
		.filter(([number]) => !NOT_IN_CHAT.includes(number));

	it.each(inChat)('in the chat %d: %s', async (...[number, , request]) => {
		expect(judged(await measure(bench(), number, request))).toBe('right');
	});
});
