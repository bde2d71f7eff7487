"""Daily questions and group quizzes in Discord, through the real discord.py against simcord."""
