/** A list that can be read by a time, oldest first. */
export interface Ordered<T> {
	/** A page of the records at or after a time, oldest first. */
	page: (from: string, page: number) => Promise<Page<T>>;
	/** All records with exactly this time, and how many there are. */
	at: (time: string) => Promise<T[]>;
	countAt: (time: string) => Promise<number | undefined>;
	/** Whether a record moves to the end of the list when it changes. */
	moves?: boolean;
	/** The time that the list is ordered by, in ISO 8601; an empty text when a record has none. */
	time: (record: T) => string;
}

export interface Page<T> {
	records: T[];
	/** Whether the list ends with this page. */
	last: boolean;
}

/** In epoch milliseconds; NaN when a record has none. */
export const timeOf = <T>({ time }: Pick<Ordered<T>, 'time'>, record: T) =>
	Date.parse(time(record));

/**
 * The next records at or after a time, and the time to go on from: a page, or what it takes to get past a time that
 * fills pages. To go on from a time, and not from a page number, misses nothing when records leave the part that has
 * been read; those of the last time come twice.
 */
export async function unitFrom<T>(
	list: Ordered<T>,
	from: string,
): Promise<{ records: T[]; at: string; last: boolean }> {
	const first = await list.page(from, 1);
	const isStuck = !first.last && timeOf(list, first.records.at(-1)!) <= Date.parse(from);
	const { records, last } = isStuck ? await past(list, from, first) : first;
	const at = records.reduce(
		(latest, record) => (timeOf(list, record) > Date.parse(latest) ? list.time(record) : latest),
		from,
	);
	return { records, at, last };
}

/** All records of a time, and those after it up to the end of a page. */
async function past<T>(list: Ordered<T>, from: string, first: Page<T>): Promise<Page<T>> {
	const isAtTime = (record: T | undefined) =>
		record !== undefined && timeOf(list, record) <= Date.parse(from);
	const pages = [first.records];
	let page = first;
	while (!page.last && isAtTime(page.records.at(-1))) {
		page = await list.page(from, pages.length + 1);
		pages.push(page.records);
	}
	const { last } = page;
	const count = pages.flat().filter(isAtTime).length;
	if (!list.moves || (await list.countAt(from)) === count) return { records: pages.flat(), last };

	// Some have left that time meanwhile, and others may have moved up unseen: back to where that time is met.
	const same = await list.at(from);
	for (let number = pages.length; number > 1 && !isAtTime(page.records[0]);) {
		page = await list.page(from, --number);
		pages.push(page.records);
	}
	return { records: [...same, ...pages.flat()], last };
}
