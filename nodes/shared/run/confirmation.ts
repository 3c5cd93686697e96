import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { accountOf } from '../client/request';
import { confirmation, confirmedCode, confirmedWhat } from '../input/controls';
import { naming, refuse } from '../input/refusal';
import { clock, hash, MINUTE_MS, nameForm } from '../lib';
import { isTool, type ItemContext } from '../n8n/context';
import type { Item } from '../receive/output';
import { inWords } from './inWords';
import { detailsFor } from './itemError';
import type { ItemWork } from './itemRequest';
import { withoutInvisible } from './outputItems';

/** A change by a model in two calls: the first says what would happen, the second has to repeat it letter for letter. */

/** Codes that were used, with the time at which they expire. An update of the package forgets them. */
const used = new Map<string, number>();

const text = (context: ItemContext, { name }: { name: string }) =>
	String(context.getNodeParameter(name, '') ?? '').trim();

/**
 * Makes a change, that of a tool only with its code, unless its author has turned that off. `asked` is all that it sends.
 * @returns the items of the change; in the first of two calls, what to return instead
 * @throws NodeOperationError for a code that does not fit, which names what to do
 */
export async function confirmed(
	work: ItemWork,
	asked: unknown[],
	preview: () => Promise<IDataObject>,
	make: () => Promise<Item[]>,
): Promise<Item[]> {
	const { context } = work;
	if (!isTool(context) || text(context, confirmation) === 'none') return await make();
	const [what, code] = [text(context, confirmedWhat), text(context, confirmedCode)];
	// Before the preview, which replaces names in it.
	const call = JSON.stringify(asked);
	const now = await preview();
	// A model gets no invisible characters, so it cannot repeat them.
	const words = inWords(now).map(withoutInvisible);
	const whatNow = words.join('; ');
	const stateNow = hash(JSON.stringify(now), 12);
	const { apiToken, baseURL } = await accountOf(context);
	const signed = (time: string, state: string) => {
		const about = JSON.stringify([baseURL, call, state, time]);
		return createHmac('sha256', apiToken).update(about).digest('base64url').slice(0, 22);
	};
	if (what === '' && code === '') {
		const time = clock.now().toString(36);
		const newCode = [time, stateNow, signed(time, stateNow)].join('.');
		const message =
			'Nothing was changed. To do it, call again with the same arguments, this "what" letter for letter, and this "code", within five minutes.';
		return [{ json: { confirmed: false, what: whatNow, code: newCode, message } }];
	}
	const again = 'Nothing was changed. Call without both to get new ones';
	naming(context, 'code', () => {
		const [time = '', state = '', signature] = code.split('.');
		if (signature !== signed(time, state)) {
			refuse(`is not the code for these arguments. ${again}`);
		}
		if (used.has(code)) {
			refuse(
				'was used. That call may have made the change: check before you make it again. To do so, call without both to get new ones',
			);
		}
		if (state !== stateNow) {
			const isNew = (each: string) => !nameForm(what).includes(nameForm(each));
			const changed = words.filter(isNew).join('; ');
			refuse(`is for an earlier state${changed && `. Now: ${changed}`}. ${again}`);
		}
		if (nameForm(what) !== nameForm(whatNow))
			refuse('is for another "what". Nothing was changed. Repeat it letter for letter');
		const until = Number.parseInt(time, 36) + 5 * MINUTE_MS;
		if (clock.now() > until) refuse(`is older than five minutes. ${again}`);
		for (const [each, end] of used) if (end < clock.now()) used.delete(each);
		used.set(code, until);
	});
	return await make().catch((error: unknown) => {
		// Retry On Fail repeats the call, and must not hide why nothing was changed.
		if (isUnmade(work, error)) used.delete(code);
		throw error;
	});
}

const isUnmade = (work: ItemWork, error: unknown) =>
	!work.progress.isMade && ['refused', 'notSent'].includes(detailsFor(work, error).outcome);
