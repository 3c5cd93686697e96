import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../client/clock';
import { accountOf } from '../client/request';
import { isBeginning, keyOf } from './state';

/*
 * Many workflows of an account watch the same lists, and n8n polls them in the same second. They share the first page
 * of equal requests:
 * - A trigger uses a page only if it was requested after the trigger's own requests of the list. So no trigger sees an
 *   older list than before.
 * - A trigger uses no page that was requested before its activation, its edit, or its first poll in this process.
 * - Failures are not shared: each trigger then sends its own request.
 */

/** How long a page is shared after its answer. */
const FRESH_MS = 10_000;

interface Reading {
	/** Its number in the order of all requests. */
	number: number;
	/** In epoch milliseconds. */
	answeredAt?: number;
	/** As JSON, because each workflow gets its own copy of the records. */
	page: Promise<string>;
}

interface Account {
	/** The last reading of each page. */
	readings: Map<string, Reading>;
	/** Number of the last request of each trigger, by trigger and list, with the trigger's settings. */
	readers: Map<string, { settings: string; number: number }>;
}

const accounts = new WeakMap<object, Account>();

let asked = 0;

/**
 * A page of a list that triggers of an account read together.
 * @param list identifies the list in the account; `request` identifies the page
 * @param isShared whether to share the page; if not, the trigger uses no page that was requested earlier
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
	const shared =
		reading && reading.number > reader.number ? await unlessFailed(reading) : undefined;
	if (reading && shared !== undefined) {
		reader.number = Math.max(reader.number, reading.number);
		return JSON.parse(shared);
	}
	reader.number = ++asked;
	const page = read();
	const created: Reading = {
		number: reader.number,
		page: page.then((each) => JSON.stringify(each)),
	};
	readings.set(request, created);
	created.page.then(
		() => (created.answeredAt = clock.now()),
		() => readings.delete(request),
	);
	return await page;
}

function newAccount(account: object): Account {
	const created: Account = { readings: new Map(), readers: new Map() };
	accounts.set(account, created);
	return created;
}

const isFresh = ({ answeredAt }: Reading) =>
	answeredAt === undefined || Math.abs(clock.now() - answeredAt) <= FRESH_MS;

const unlessFailed = async ({ page }: Reading) => await page.catch(() => undefined);
