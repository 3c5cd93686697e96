import type { IDataObject } from 'n8n-workflow';
import { histories } from '../../../support/serviceModel/history';
import type { Happening, Moment, World } from '../../../support/serviceModel/scenario';
import { locator } from '../../../support/locator';

const EMAIL_EVENTS = ['delivered', 'opened', 'bounced', 'failed', 'spam', 'otherStatus'];
const EVENTS = ['created', ...EMAIL_EVENTS];
const HOUR = 3_600_000;
const SITES = ['5100000000', '5200000000'];

interface Recipient extends IDataObject {
	email: string;
	status: string;
	sent_at: string;
}

const reportsOf = ({ account }: Moment) => (account['/reports'] ??= []);

const recipientsOf = ({ email }: IDataObject) => (email as { recipients: Recipient[] }).recipients;

const keyOf = (report: IDataObject, event: string, { email, sent_at: at }: Recipient) =>
	`${report.id as string} ${event} ${email} ${at}`;

const factsOf = ({ site, type }: IDataObject) => ({ site: (site as IDataObject).id, type });

function create(moment: Moment): IDataObject {
	const { chance } = moment;
	const id = chance.pick(SITES);
	const report: IDataObject = {
		id: moment.id(),
		title: 'Report',
		site: { id, title: id, url: 'https://example.com' },
		type: chance.pick(['one_time', 'scheduled']),
		client: chance.is(0.5) ? null : { id: 'c1', name: 'Client', email: 'client@example.com' },
		created_at: moment.stamp(),
		email: { recipients: [] },
	};
	reportsOf(moment).push(report);
	return report;
}

/** Sends it to somebody, the same one perhaps as before. */
function send(moment: Moment, report: IDataObject): void {
	const email = moment.chance.pick(['a@example.com', 'b@example.com']);
	const at = moment.stamp();
	const known = recipientsOf(report);
	if (known.some((each) => each.email === email && each.sent_at === at)) return;
	known.push({ email, status: 'sent', sent_at: at, delivered_at: null, opened_at: null });
}

function happened(moment: Moment, report: IDataObject, recipient: Recipient, event: string) {
	const { followDays } = moment.choice.options as { followDays: number };
	const age = moment.now - Date.parse(String(report.created_at));
	return {
		key: keyOf(report, event, recipient),
		event,
		facts: factsOf(report),
		isOptional: age > followDays * 24 * HOUR - 1.5 * HOUR,
	};
}

/** What becomes of an e-mail next; a time that is set stays. */
function move(moment: Moment, report: IDataObject, recipient: Recipient): Happening[] {
	const { chance } = moment;
	const next: Record<string, string[]> = {
		// Nobody knows `blocked`.
		sent: ['delivered', 'delivered', 'opened', 'bounced', 'failed', 'blocked'],
		delivered: ['opened', 'bounced', 'spam', 'blocked'],
		opened: ['spam'],
	};
	const status = chance.pick(next[recipient.status] ?? ['']);
	if (!status) return [];
	recipient.status = status;
	if (status === 'delivered' || status === 'opened') recipient[`${status}_at`] = moment.stamp();
	return [happened(moment, report, recipient, status === 'blocked' ? 'otherStatus' : status)];
}

export const world: World = {
	node: 'reportTrigger',
	usual: { events: ['created', 'delivered', 'opened'], filter: {}, options: { followDays: 3 } },
	choose: (chance) => ({
		events: chance.some(EVENTS),
		filter: {
			...(chance.is(0.2) && { siteId: chance.pick(SITES) }),
			...(chance.is(0.2) && { type: chance.pick(['one_time', 'scheduled']) }),
		},
		options: { followDays: chance.pick([1, 3]) },
	}),
	parameters: ({ events, filter: { siteId, type }, options }) => ({
		output: 'raw',
		events,
		filters: {
			...(siteId !== undefined && { siteId: locator(siteId) }),
			...(type !== undefined && { type: type as string }),
		},
		options: { ...options } as never,
	}),
	matches: ({ filter: { siteId, type } }, { facts }) =>
		(siteId === undefined || facts!.site === siteId) &&
		(type === undefined || facts!.type === type),
	begin: (moment) => {
		for (let left = 6; left > 0; left--) {
			const report = create(moment);
			for (let sent = moment.chance.below(3); sent > 0; sent--) send(moment, report);
			const [first] = recipientsOf(report);
			if (first) move(moment, report, first);
		}
		return [];
	},
	change: (moment, isNew) => {
		const { chance } = moment;
		if (isNew || chance.is(0.3)) {
			const report = create(moment);
			return [{ key: `${report.id as string} created`, event: 'created', facts: factsOf(report) }];
		}
		const report = chance.pick(reportsOf(moment));
		const recipients = recipientsOf(report);
		if (recipients.length > 0 && chance.is(0.7))
			return move(moment, report, chance.pick(recipients));
		send(moment, report);
		return [];
	},
	keyOf: (item) =>
		item.event === 'created'
			? `${item.id as string} created`
			: keyOf(item, String(item.event), item.recipient as Recipient),
};

histories(world);
