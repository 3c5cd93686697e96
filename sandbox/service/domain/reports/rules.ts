import { unprocessable } from '../../engine/errors';
import type { TaskRow } from '../../engine/taskRows';
import { startTask } from '../../engine/tasks';
import type { Handler, TaskEffects, World } from '../../engine/world';
import type { ItemError } from '../../http/kit';
import type { ReportTemplateData, ReportTemplateInput } from '../reportTemplates/rows';
import { dataFrom, requireSender, requireTemplate, viewSender } from '../reportTemplates/rules';
import type { SiteRow } from '../sites/rows';
import { requireSites } from '../sites/rules';
import { completedSnapshots } from '../snapshots/rules';
import type { Recipient, ReportRow, reportTypes } from './rows';
import { DateTime } from 'luxon';

declare module '../../engine/settings' {
	interface Settings {
		/** How long an e-mail takes to be delivered, or not, in milliseconds. */
		mailDeliveryMs: number;
		/** How long after it was sent an e-mail is opened, in milliseconds. */
		mailOpenMs: number;
	}
}

/** What a report is to cover; plain data, so that a task can carry it. */
interface ReportOrder extends Record<string, unknown> {
	site_id: string;
	type: (typeof reportTypes)[number];
	timezone: string;
	start_date: string;
	end_date: string;
	data: ReportTemplateData;
}

/** Starts the task that makes a one-time report (Part A 4.9). */
export function startReport(
	world: World,
	fields: {
		site_id: string;
		timezone?: string;
		start_date: string;
		end_date: string;
		template_id?: string;
		report_template_data?: ReportTemplateInput;
	},
): TaskRow {
	const { site_id: siteId, timezone = 'UTC', report_template_data: input = {} } = fields;
	const { start_date: startDate, end_date: endDate, template_id: templateId } = fields;
	requireSites(world, [siteId], 'report.site_id');
	requireTemplate(world, templateId, 'report.template_id');
	requireSender(world, input.email?.sender_email, 'report.report_template_data.email');
	if (endDate < startDate) {
		throw unprocessable('invalid_range', 'report.end_date', 'is before the start date');
	}
	requireSnapshots(world, siteId, timezone, startDate, endDate);
	const order: ReportOrder = {
		site_id: siteId,
		type: 'one_time',
		timezone,
		start_date: startDate,
		end_date: endDate,
		data: dataFrom(world, templateId ?? '', input),
	};
	return startTask(world, { type: 'report', siteIds: [siteId], payload: { report: order } });
}

export const reportEffects: TaskEffects = {
	report: (world, task, outcome) => {
		const order = task.internal.payload.report as ReportOrder | undefined;
		if (outcome === 'completed' && order) addReport(world, order);
	},
};

/** Adds a finished report of a site, sent to nobody yet; none when the site is gone. */
export function addReport(
	world: World,
	order: ReportOrder,
	createdAt = world.timestamp(),
): ReportRow | undefined {
	const site = world.store.sites.get(order.site_id);
	if (!site) return undefined;
	const { data } = order;
	return world.store.reports.insert({
		id: world.random.hex(24),
		title: `${site.title} report`,
		site: siteSummary(site),
		type: order.type,
		client: clientOf(world, site),
		start_date: order.start_date,
		end_date: order.end_date,
		created_at: createdAt,
		email: {
			subject: data.email.subject,
			body: data.email.body,
			attach_pdf: data.email.attach_pdf,
			sender_email: viewSender(data.email.sender_email, world),
			recipients: [],
		},
		internal: { timezone: order.timezone, data },
	});
}

export const siteSummary = ({ id, title, url }: SiteRow) => ({ id, title, url });

/** The client of a site as a report names it. */
export function clientOf(world: World, site: SiteRow): ReportRow['client'] {
	const client = world.store.clients.get(site.internal.client_id ?? '');
	if (!client) return null;
	const { id, first_name: firstName, last_name: lastName, email } = client;
	return { id, name: `${firstName} ${lastName}`.trim(), email };
}

/** Applies what a request says about the e-mail; the sender has to be a verified one. */
export function prepareEmail(
	world: World,
	report: ReportRow,
	{
		sender_email: sender,
		...fields
	}: {
		sender_email?: { id: string } | null;
		subject?: string;
		body?: string | null;
		attach_pdf?: boolean;
	},
): void {
	requireSender(world, sender, 'send_email');
	if (sender && world.store.senderEmails.get(sender.id)!.status !== 'verified') {
		const message = 'is a sender email that is not verified';
		throw unprocessable('not_verified', 'send_email.sender_email.id', message);
	}
	Object.assign(report.email, fields);
	if (sender !== undefined) report.email.sender_email = viewSender(sender, world);
}

/** Sends a report; an earlier mail to the same address no longer counts. */
export function sendMail(
	world: World,
	report: ReportRow,
	address: string,
	sentAt = world.now,
): ItemError | undefined {
	if (!isEmail(address)) {
		return { code: 'invalid_email', message: 'Recipient is not an email address' };
	}
	const recipient: Recipient = {
		email: address,
		status: 'sent',
		sent_at: world.timestamp(sentAt),
		delivered_at: null,
		opened_at: null,
	};
	const others = report.email.recipients.filter(({ email }) => email !== address);
	report.email.recipients = [...others, recipient];
	for (const [status, delay] of fate(world)) {
		const at = sentAt + delay;
		const payload = { report_id: report.id, email: address, sent_at: recipient.sent_at, status };
		if (at > world.now) world.timeline.schedule({ at, kind: 'report.mail', payload });
		else moveOn(world, recipient, status, at);
	}
	return undefined;
}

export const reportHandlers: Record<string, Handler> = {
	'report.mail': (world, { report_id: id, email, sent_at: sentAt, status }) => {
		const recipient = world.store.reports
			.get(String(id))
			?.email.recipients.find((each) => each.email === email && each.sent_at === sentAt);
		if (recipient) moveOn(world, recipient, status as Recipient['status'], world.now);
	},
};

function moveOn(world: World, recipient: Recipient, status: Recipient['status'], at: number): void {
	recipient.status = status;
	if (status === 'delivered') recipient.delivered_at = world.timestamp(at);
	if (status === 'opened') recipient.opened_at = world.timestamp(at);
}

/** What becomes of a mail, and how long after it was sent. */
function fate({ random, settings }: World): Array<[Recipient['status'], number]> {
	const { mailDeliveryMs: delivery, mailOpenMs: opening } = settings;
	const luck = random.next();
	if (luck < 0.04) return [['failed', delivery]];
	if (luck < 0.1) return [['bounced', delivery]];
	if (luck < 0.14) {
		return [
			['delivered', delivery],
			['spam', opening],
		];
	}
	if (luck < 0.4) return [['delivered', delivery]];
	return [
		['delivered', delivery],
		['opened', opening],
	];
}

function requireSnapshots(
	world: World,
	siteId: string,
	zone: string,
	startDate: string,
	endDate: string,
): void {
	const covered = completedSnapshots(world, siteId).some(({ created_at: createdAt }) => {
		const date = DateTime.fromISO(createdAt, { zone }).toISODate()!;
		return startDate <= date && date <= endDate;
	});
	if (!covered) {
		throw unprocessable('no_snapshots', 'report.start_date', 'begins a range without snapshots');
	}
}

const isEmail = (text: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
