import type { IDataObject } from 'n8n-workflow';
import { histories } from '../../../support/serviceModel/history';
import type { Happening, Moment, World } from '../../../support/serviceModel/scenario';
import { notes } from '../../../support/serviceModel/sites';

/** Of the events of so many, not all have room to wait for their names. */
const MANY = 60;
let count = 0;

const CREATED = 'created';
const EXPIRES = 'expiresSoon';
const HOUR = 3_600_000;

/** How far off the hours may be: clocks differ. */
const MARGIN = 0.5 * HOUR;

/** Also where the service tells times in another form: in milliseconds, to the second. */
const expiryOf = ({ expires_at: at }: IDataObject): number => {
	if (typeof at === 'number') return Math.floor(at < 1e11 ? at : at / 1_000) * 1_000;
	return Math.floor(Date.parse(String(at)) / 1_000) * 1_000;
};

const stagingOf = ({ account }: Moment) => (account['/staging-sites'] ??= []);

const createdKey = ({ id }: IDataObject) => `${String(id)} ${CREATED}`;

/** When the expiry of a staging site was set to what it is. */
const setAt = new WeakMap<IDataObject, number>();

/** Those that are gone: nobody can tell of them any more. */
const deleted = new Set<IDataObject>();

function expireIn(moment: Moment, staging: IDataObject, from: number): void {
	const hours = moment.chance.below(12) + 1;
	staging.expires_at = new Date(from + hours * HOUR).toISOString();
	setAt.set(staging, moment.now);
}

function create(moment: Moment): IDataObject {
	const time = moment.stamp();
	const staging: IDataObject = {
		id: moment.id(),
		site_id: moment.chance.pick(['s1', 's2', 'gone']),
		status: moment.chance.pick(['active', 'active', 'initializing']),
		url: 'https://staging.example.com',
		created_at: time,
		updated_at: time,
	};
	expireIn(moment, staging, moment.now);
	count = stagingOf(moment).push(staging);
	return staging;
}

const ready = (staging: IDataObject): Happening[] =>
	staging.status === 'active' ? [{ key: createdKey(staging), event: CREATED }] : [];

const toldExpiries = notes<IDataObject, Set<number>>(() => new Set());

export const world: World = {
	node: 'stagingSiteTrigger',
	usual: { events: [CREATED, EXPIRES], filter: { hoursBefore: 2 }, options: {} },
	choose: (chance) => ({
		events: chance.some([CREATED, EXPIRES]),
		filter: { hoursBefore: chance.pick([2, 6]) },
		options: {},
	}),
	parameters: ({ events, filter }) => ({
		output: 'raw',
		events,
		hoursBefore: filter.hoursBefore as number,
	}),
	matches: () => true,
	begin: (moment) => {
		const site = (id: string) => ({ id, title: `Site ${id}`, url: `https://${id}.example.com` });
		moment.account['/sites'] = [site('s1'), site('s2')];
		for (let left = 6; left > 0; left--) create(moment);
		return [];
	},
	change: (moment, isNew) => {
		const { chance } = moment;
		if (isNew || chance.is(0.3)) return ready(create(moment));
		const staging = chance.pick(stagingOf(moment));
		const what = chance.pick(['ready', 'ready', 'extend', 'extend', 'delete']);
		if (what === 'delete' && stagingOf(moment).length > 3) {
			stagingOf(moment).splice(stagingOf(moment).indexOf(staging), 1);
			deleted.add(staging);
		}
		if (what === 'extend') expireIn(moment, staging, expiryOf(staging));
		if (what !== 'ready' || staging.status !== 'initializing') return [];
		staging.status = 'active';
		return ready(staging);
	},
	blurred: () => {
		const keys = [...deleted].map(createdKey);
		deleted.clear();
		return keys;
	},
	keyOf: createdKey,
	faultOf: (item) => {
		const title = item.site_id === 'gone' ? null : `Site ${String(item.site_id)}`;
		const mayLack = item.site_title === null && count >= MANY;
		return item.site_title === title || mayLack
			? undefined
			: `${String(item.id)} of ${String(item.site_title)}`;
	},
	isState: ({ event }) => event === EXPIRES,
	judge: (moment, told, begins) => {
		const faults: string[] = [];
		let expected = 0;
		const hours = Number(moment.choice.filter.hoursBefore) * HOUR;
		for (const staging of stagingOf(moment)) {
			const known = toldExpiries(staging);
			if (begins) {
				known.clear();
				continue;
			}
			for (const item of told.filter(({ id }) => id === staging.id)) {
				if (known.has(expiryOf(item))) faults.push(`${String(item.id)} expires twice`);
				if (moment.now < expiryOf(item) - 6 * HOUR - MARGIN)
					faults.push(`${String(item.id)} expires later`);
				known.add(expiryOf(item));
			}
			const due = expiryOf(staging) - hours;
			const isDue =
				moment.choice.events.includes(EXPIRES) &&
				Math.max(moment.begun, setAt.get(staging)!) < due - MARGIN &&
				moment.now > due + MARGIN;
			if (isDue) expected += 1;
			if (isDue && !known.has(expiryOf(staging)))
				faults.push(`lost: ${String(staging.id)} ${EXPIRES}`);
		}
		return { faults, expected };
	},
};

histories(world);
