/** What is true of the names of all output fields, and of their order; written apart from the code that orders them. */

/** The records of the API reference, as ids name them. */
const RECORDS = [
	...['backup_destination', 'client', 'custom_work', 'important_page', 'managed_account', 'note'],
	...['report', 'report_template', 'schedule', 'scheduled_report', 'sender_email', 'site'],
	...['snapshot', 'staging_site', 'tag', 'task', 'team_member'],
	// A former text of a note, or state of a file; and the folder at a storage provider, which is no record of the service.
	...['version', 'folder'],
];

/** Groups in the order of an item: what it is about, what is said of it, when, and the ids. */
const GROUPS = [
	/^(event|title|name|site_title|url|site_url)$/,
	/^(reason|status|task_status|error|hours_since)$|_(status|error)$/,
	/_(at|on|since)$/,
	/(^|_)ids?$/,
];

const groupOf = (field: string) => GROUPS.findIndex((group) => group.test(field));

export function outputFaults(fields: string[]): string[] {
	const grouped = fields.filter((field) => groupOf(field) >= 0);
	const sorted = [...grouped].sort((a, b) => groupOf(a) - groupOf(b));
	const records = fields.flatMap((field) => /^(.+)_ids?$/.exec(field)?.[1] ?? []);
	return [
		...(grouped.join() === sorted.join() ? [] : [`is in the order ${grouped.join()}`]),
		...records
			.filter((record) => !RECORDS.includes(record))
			.map((record) => `${record}_id is the id of no record`),
		...fields
			.filter((field) => /[A-Z]/.test(field))
			.map((field) => `${field} is not in snake case`),
		...fields.filter((field) => /(^|_)size$/.test(field)).map((field) => `${field} has no unit`),
	];
}
