import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../client/clock';
import { accountOf } from '../client/request';
import { isBeginning, keyOf } from './state';

/*
 * Many workflows of an account watch the same lists, and n8n has them poll in the same second. The first page that one
 * of them asks for serves the others that ask for exactly the same:
 * - A page serves a trigger only if it was asked for after all that the trigger itself has asked of the list. So no
 *   trigger sees an older list than it has seen before.
 * - What was asked for before a trigger was switched on or edited, or first seen in this process, does not serve it.
 * - Failures are not shared: then each asks for itself.
 */

/** A page serves for so long after its answer. */
const FRESH_MS = 10_000;

interface Reading {
	/** Its place among all that was asked for. */
	number: number;
	/** In epoch milliseconds. */
	answeredAt?: number;
	/** As JSON, since each workflow gets records of its own. */
	page: Promise<string>;
}

interface Account {
	/** The last reading of each page. */
	readings: Map<string, Reading>;
	/** The place of what each trigger has asked for last, by trigger and list, and what it was set to then. */
	readers: Map<string, { settings: string; number: number }>;
}

const accounts = new WeakMap<object, Account>();

let asked = 0;

/**
 * A page of a list that triggers of an account read together.
 * @param list tells the list from others of the account, `request` the page from others of the list
 * @param isShared whether others have a part in it; if not, what was asked for before no longer serves this trigger
 */
export async function sharedPage<P>(
	context: IPollFunctions,
	{ list, request, isShared }: { list: string; request: string; isShared: boolean },
	read: () => Promise<P>,
): Promise<P> {
	if (context.getMode() === 'manual') return await read();
	const { limiter } = await accountOf(context);
	const { readings, readers } = accounts.get(limiter.account) ?? newAccount(limiter.account);
	const name = `${keyOf(context)} ${list}`;
	const settings = JSON.stringify(context.getNode().parameters);
	const known = readers.get(name);
	const reader = known?.settings === settings ? known : { settings, number: ++asked };
	readers.set(name, reader);
	if (!isShared || isBeginning(context)) {
		return await read().finally(() => (reader.number = ++asked));
	}
	for (const [key, each] of readings) if (!isFresh(each)) readings.delete(key);
	const reading = readings.get(request);
	const given = reading && reading.number > reader.number ? await unlessFailed(reading) : undefined;
	if (reading && given !== undefined) {
		reader.number = Math.max(reader.number, reading.number);
		return JSON.parse(given);
	}
	reader.number = ++asked;
	const page = read();
	const own: Reading = { number: reader.number, page: page.then((each) => JSON.stringify(each)) };
	readings.set(request, own);
	own.page.then(
		() => (own.answeredAt = clock.now()),
		() => readings.delete(request),
	);
	return await page;
}

function newAccount(account: object): Account {
	const made: Account = { readings: new Map(), readers: new Map() };
	accounts.set(account, made);
	return made;
}

const isFresh = ({ answeredAt }: Reading) =>
	answeredAt === undefined || Math.abs(clock.now() - answeredAt) <= FRESH_MS;

const unlessFailed = async ({ page }: Reading) => await page.catch(() => undefined);
