/** Stop words: words that say nothing about a text's subject, in texts and in questions. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been being by for from has have had he her him his she in into is it its of on that the their ' +
    'them they there then than to was were will with i me my mine we us our you your can could may might shall should must ' +
    'please would need needs want wants wanted like do does did done doing how what when where which who whom whose why ' +
    'this these those or if also so but not no nor about just some any all both each very am im ive id ll ve re let lets s ' +
    't d m up out over under again further once here because while during before after above below between through own ' +
    'same too only such other more most help provide give tell know looking additionally furthermore moreover lastly ' +
    'finally interested planning plan curious trying make sure able assist assistance using'
  ).split(' '),
)

/** Chinese stop characters: particles, pronouns, and the beginnings of polite questions. */
export const STOP_CHARACTERS: ReadonlySet<string> = new Set(
  '的了是我你他她它们在和与及或请帮把将给为对这那个一有需要想能并也就都会从到吗呢吧啊得地着过让用以于其',
)
