// From the steps the house offers to the acts the console sends.
import type { ShownStep, StaffAct } from '../wire';

export type Dice = [number, number, number];

/** The act of a step that needs nothing more to be said. */
export function plainAct(step: string): StaffAct | null {
  switch (step) {
    case 'activate-tumbler':
      return { act: 'activate_tumbler' };
    case 'call-bets':
      return { act: 'call_bets' };
    case 'close-bets':
      return { act: 'close_bets' };
    case 'press-deal':
      return { act: 'press_deal' };
    case 'uncover':
      return { act: 'uncover' };
    case 'confirm-flat':
      return { act: 'confirm_flat' };
    case 'clear-keys':
      return { act: 'clear_keys' };
    case 'confirm-result':
      return { act: 'confirm_result' };
    case 'report-lights':
      return { act: 'report_lights', lit: true };
    case 'take-and-pay':
      return { act: 'take_and_pay' };
    case 'announce-last-round':
      return { act: 'announce_last_round' };
    case 'close-table':
      return { act: 'close_table' };
    case 'resume':
      return { act: 'resume' };
    default:
      return null;
  }
}

/** Steps for which the six keys are pressed. */
export const KEYED = ['key-dice', 'read-second', 'resolve-readings'];

/** The act of dice that were keyed for a step. */
export function diceAct(step: ShownStep, dice: Dice): StaffAct | null {
  if (step.step === 'key-dice') return { act: 'key_dice', dice };
  if (step.step === 'read-second') return { act: 'read_second', dice };
  if (step.step === 'resolve-readings' && step.pending !== null)
    return { act: 'resolve_readings', pending: step.pending, dice };
  return null;
}

/** It takes two persons. */
export function takesTwo(step: ShownStep): boolean {
  return step.who.length > 0 && step.who.every((who) => who.second !== null);
}
