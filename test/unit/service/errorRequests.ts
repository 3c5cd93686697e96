import type { ErrorFleet, Request, Row } from './errorFleet';

/** How a status of an operation comes about: what is done before, and then sent. */
export type ErrorCase = [
	operationId: string,
	status: 409 | 422 | 503,
	how: string,
	request: (fleet: ErrorFleet) => Promise<Request>,
];

export type Fits = (row: Row) => boolean;

export const is =
	(status: string): Fits =>
	(row) =>
		row.status === status;

/** A record of a list, by the id that its path has: `/tags` gives the `tag_id`. */
export const at = (path: string, body?: object, fits?: Fits) => async (fleet: ErrorFleet) => ({
	params: { [`${path.slice(1, -1).replaceAll('-', '_')}_id`]: await fleet.idOf(path, fits) },
	body,
});

export const send = (body: object) => async () => ({ body });

/** A site that fits, and one without backups. */
export const atSite = (body?: object, fits?: Fits) => async (fleet: ErrorFleet) => ({
	params: { site_id: (await fleet.site(fits)).id },
	body,
});
export const atSiteWithoutBackups = (body?: object) => async (fleet: ErrorFleet) => ({
	params: { site_id: (await fleet.site(undefined, false)).id },
	body,
});

export const atSnapshot = (body: object) => async (fleet: ErrorFleet) => ({
	params: await fleet.snapshot(),
	body,
});
