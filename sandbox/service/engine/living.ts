import { day, hour } from './clock';
import type { Part, Rhythm, World } from './world';

/** Lets things happen by themselves from now on, or no longer. What has begun goes on in any case. */
export function setLiving(world: World, living: boolean): void {
	world.living = living;
	if (!living) return;
	const running = world.timeline.all().filter(({ kind }) => kind === 'living.beat');
	for (const name of Object.keys(rhythmsOf(world))) {
		if (!running.some(({ payload }) => payload.rhythm === name)) scheduleBeat(world, name);
	}
}

export const living: Part = {
	handlers: {
		'living.beat': (world, payload) => {
			const name = String(payload.rhythm);
			const rhythm = rhythmsOf(world)[name];
			if (!world.living || !rhythm) return;
			rhythm.happen(world);
			scheduleBeat(world, name);
		},
	},
	rhythms: { housekeeping: { every: 6 * hour, happen: forgetOldHistory } },
};

const rhythmsOf = ({ parts }: World): Record<string, Rhythm> =>
	Object.assign({}, ...parts.map(({ rhythms }) => rhythms)) as Record<string, Rhythm>;

function scheduleBeat(world: World, name: string): void {
	const { every } = rhythmsOf(world)[name]!;
	const wait = typeof every === 'number' ? every : world.random.integer(...every);
	world.after(wait, 'living.beat', { rhythm: name });
}

function forgetOldHistory(world: World): void {
	const oldest = world.timestamp(world.now - world.settings.historyDays * day);
	for (const { forget } of world.parts) forget?.(world, oldest);
}
